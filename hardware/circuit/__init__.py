"""Simulates the drawings in ../schematic and compares the results with the limits of their parts."""
