package io.delayjob.store;

/** What at most one unfinished job has. */
record NameAndKey(String name, String key) {}
