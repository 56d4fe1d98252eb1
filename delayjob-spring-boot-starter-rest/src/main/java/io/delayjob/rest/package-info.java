/**
 * The REST API, for other applications that schedule, find and change jobs and groups. Other applications can use only
 * the jobs and groups that this application exposes. The controllers, such as {@code JobsController}, serve the paths.
 * {@code RestSecurityConfiguration} decides who may call the paths.
 */
@NullMarked
package io.delayjob.rest;

import org.jspecify.annotations.NullMarked;
