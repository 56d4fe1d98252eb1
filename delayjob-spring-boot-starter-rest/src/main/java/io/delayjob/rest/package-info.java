/**
 * The REST API, by which other applications schedule, find and change the jobs and groups that this application
 * exposes. The controllers, such as {@code JobsController}, serve the paths. {@code RestSecurityConfiguration} decides
 * who may call them.
 */
@NullMarked
package io.delayjob.rest;

import org.jspecify.annotations.NullMarked;
