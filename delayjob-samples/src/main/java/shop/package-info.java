/**
 * A small shop: {@code Stories} holds what it does later, in five jobs; the rest is an ordinary Spring Boot application
 * that keeps orders and jobs in one database.
 */
@NullMarked
package shop;

import org.jspecify.annotations.NullMarked;
