package io.delayjob.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the transaction manager of the job tables if an application has several managers. The marked manager must
 * manage the data source of the job tables. If neither a manager nor a {@linkplain DelayJobDataSource data source} is
 * marked, delayjob uses the application's only transaction manager. If there are several managers, delayjob uses the
 * primary manager. If these rules give no manager, delayjob searches for a manager of the job tables' data source. The
 * search also takes place if only the data source is marked. If the search finds exactly one manager, delayjob uses
 * this manager. Otherwise, delayjob creates its own manager.
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface DelayJobTransactionManager {}
