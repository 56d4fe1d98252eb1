/**
 * The REST API: other applications schedule, find and change the jobs that this application exposes. {@code
 * JobsController} has the paths, and {@code RestSecurityConfiguration} decides who may call them.
 */
@NullMarked
package io.delayjob.rest;

import org.jspecify.annotations.NullMarked;
