"""The site's log of sealed rounds as it is kept: leaves in order, and every checkpoint that was ever signed."""
