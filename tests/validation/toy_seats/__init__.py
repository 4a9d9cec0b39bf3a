"""A six-seat task on the abstract seat: what a kind of seat has to bring, and no more.

No app of the platform: its tables are made for a test and go with it.
"""
