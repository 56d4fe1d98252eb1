package io.delayjob.rest;

import io.delayjob.job.AnswerResult;

/** The response to an answer from outside. */
record AnsweredJob(AnswerResult result) implements ApiBody {}
