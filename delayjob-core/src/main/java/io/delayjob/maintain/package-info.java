/** What keeps the tables in order: rescue of attempts that were lost with their instance, and retention. */
@NullMarked
package io.delayjob.maintain;

import org.jspecify.annotations.NullMarked;
