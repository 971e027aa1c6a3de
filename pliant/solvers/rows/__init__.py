"""Rows: joint, drive, spring, contact; each with prepare, warm_start, solve."""
