package io.delayjob.memory;

/** A name and a key, which at most one unfinished job has. */
record NameAndKey(String name, String key) {}
