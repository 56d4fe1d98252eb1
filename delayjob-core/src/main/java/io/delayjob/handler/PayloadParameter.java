package io.delayjob.handler;

import java.lang.reflect.Type;

/**
 * One argument that is stored with a job.
 *
 * @param name the parameter's name: it is the name in the stored payload
 * @param type its full generic type: payloads are read as this, whatever the row says
 */
public record PayloadParameter(String name, Type type) {}
