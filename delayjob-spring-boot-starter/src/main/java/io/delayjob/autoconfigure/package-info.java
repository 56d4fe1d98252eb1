/**
 * Spring Boot's auto-configuration of delayjob: properties, store, leases and engine. The package also contains
 * warnings at start about risky settings and databases.
 */
@NullMarked
package io.delayjob.autoconfigure;

import org.jspecify.annotations.NullMarked;
