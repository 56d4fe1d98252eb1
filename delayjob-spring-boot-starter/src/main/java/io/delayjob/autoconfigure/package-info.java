/**
 * Spring Boot's auto-configuration of delayjob: properties, store, leases and engine. It also warns at start about
 * risky settings and databases.
 */
@NullMarked
package io.delayjob.autoconfigure;

import org.jspecify.annotations.NullMarked;
