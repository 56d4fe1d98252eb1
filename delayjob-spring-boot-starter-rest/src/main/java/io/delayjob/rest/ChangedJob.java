package io.delayjob.rest;

import io.delayjob.job.ChangeResult;

/** The response to a change of a job. */
record ChangedJob(String id, ChangeResult result) implements ApiBody {}
