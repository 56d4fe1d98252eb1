package io.delayjob.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;

/**
 * Matches unless a {@code DelayJobTester} is present. In virtual time, the test support overrides settings and makes
 * one attempt at a time, so users could do nothing about a warning.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnMissingBean(type = "io.delayjob.test.DelayJobTester")
@interface ConditionalOnRealTime {}
