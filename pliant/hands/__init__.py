"""What takes hold of things while a world runs: grips that draw, pins and attachments that hold and let go."""
