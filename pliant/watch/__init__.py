"""What a world says of itself, in words: what happened, what is doubtful, what came apart, what cannot be stepped."""
