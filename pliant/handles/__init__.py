"""What `world[name]` gives for each kind of thing: copies of the last whole step, in people's words."""
