package io.delayjob.memory;

/** Contains a name and a key; at most one unfinished job has this pair. */
record NameAndKey(String name, String key) {}
