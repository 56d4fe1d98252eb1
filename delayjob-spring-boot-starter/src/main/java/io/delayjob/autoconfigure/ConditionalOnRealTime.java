package io.delayjob.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;

/** Matches if the application has no {@code DelayJobTester}. A tester would override settings. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnMissingBean(type = "io.delayjob.test.DelayJobTester")
@interface ConditionalOnRealTime {}
