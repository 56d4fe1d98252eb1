/**
 * Spring Boot's auto-configuration of delayjob: properties, store, leases and engine, and what is said at start about
 * settings and databases that will be regretted.
 */
@NullMarked
package io.delayjob.autoconfigure;

import org.jspecify.annotations.NullMarked;
