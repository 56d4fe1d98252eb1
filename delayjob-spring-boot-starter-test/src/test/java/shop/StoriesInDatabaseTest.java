package shop;

class StoriesInDatabaseTest extends StoriesTest {}
