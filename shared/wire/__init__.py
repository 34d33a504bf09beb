"""What services say to each other over the bus: message types, their encoding, and the names of subjects."""
