/** Spring Boot's auto-configuration of delayjob, and warnings at start about risky settings and databases. */
@NullMarked
package io.delayjob.autoconfigure;

import org.jspecify.annotations.NullMarked;
