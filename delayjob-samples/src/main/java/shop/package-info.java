/**
 * A small shop. {@code Stories} contains its five delayed jobs. The other classes are an ordinary Spring Boot
 * application with orders and jobs in one database.
 */
@NullMarked
package shop;

import org.jspecify.annotations.NullMarked;
