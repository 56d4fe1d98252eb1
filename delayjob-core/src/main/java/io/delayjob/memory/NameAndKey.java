package io.delayjob.memory;

/** A name and a key; at most one unfinished job has both. */
record NameAndKey(String name, String key) {}
