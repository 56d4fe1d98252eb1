/** Spring Boot's auto-configuration of delayjob: properties, store, leases and engine. */
@NullMarked
package io.delayjob.autoconfigure;

import org.jspecify.annotations.NullMarked;
