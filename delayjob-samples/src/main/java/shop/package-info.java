/**
 * A small shop: {@code Stories} holds its five delayed jobs; the other classes are an ordinary Spring Boot application
 * that keeps orders and jobs in one database.
 */
@NullMarked
package shop;

import org.jspecify.annotations.NullMarked;
