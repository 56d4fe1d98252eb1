package io.delayjob.rest;

import io.delayjob.job.AnswerResult;

record AnsweredJob(AnswerResult result) implements ApiBody {}
