"""Where pagereel meets the tools that people work in. The pytest plugin is found by pytest itself."""
