package io.delayjob.rest;

import io.delayjob.job.AnswerResult;

/** The answer to an answer. */
record AnsweredJob(AnswerResult result) implements ApiBody {}
