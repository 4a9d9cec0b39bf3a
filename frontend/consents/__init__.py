"""What people have accepted, how they withdraw it, and what they tell about themselves."""
