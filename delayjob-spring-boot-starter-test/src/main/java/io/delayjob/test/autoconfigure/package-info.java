/**
 * Support for Spring Boot tests in virtual time:
 * {@link io.delayjob.test.autoconfigure.AutoConfigureDelayJobTest @AutoConfigureDelayJobTest}.
 */
@NullMarked
package io.delayjob.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
