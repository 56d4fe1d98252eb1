package io.delayjob.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the transaction manager of the job tables if an application has several managers. The marked transaction
 * manager must manage the {@link DelayJobDataSource}. If no manager is marked, delayjob uses the only or the primary
 * transaction manager. If only the {@link DelayJobDataSource} is marked, delayjob creates its own manager.
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface DelayJobTransactionManager {}
