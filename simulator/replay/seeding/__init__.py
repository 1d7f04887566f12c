"""From recorded users to many: casts and their copies, and what all of them would say alike."""
