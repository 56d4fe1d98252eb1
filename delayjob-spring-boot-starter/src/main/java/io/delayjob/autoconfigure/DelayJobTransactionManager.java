package io.delayjob.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the transaction manager of the job tables where an application has several; it must manage their {@link
 * DelayJobDataSource}. Without it the only one is taken, or the primary one. Beside a {@link DelayJobDataSource}
 * without it, delayjob makes one of its own.
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface DelayJobTransactionManager {}
