"""Quatro: its rules as tables of cases, its laws, its bot."""
