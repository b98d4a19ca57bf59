"""Ties the rooms together: paths in, classes and findings out."""
