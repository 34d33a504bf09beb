"""What lets anyone prove a round without us: a Merkle log of sealed rounds, signed checkpoints, receipts, bundles."""
