package io.delayjob.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;

/**
 * Not under a {@code DelayJobTester}: its settings are made for virtual time, whatever the user has set, and it makes
 * one attempt at a time, so a warning about either would be about nothing that the user could mend.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnMissingBean(type = "io.delayjob.test.DelayJobTester")
@interface ConditionalOnRealTime {}
