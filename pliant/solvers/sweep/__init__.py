"""Ropes by impulses (paper A): the sweep of Thomas for lengths, sequential impulses for directions, explicit bending."""
