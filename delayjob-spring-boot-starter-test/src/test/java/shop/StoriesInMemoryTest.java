package shop;

import org.springframework.test.context.TestPropertySource;

@TestPropertySource(properties = "delayjob.store=memory")
class StoriesInMemoryTest extends StoriesTest {}
