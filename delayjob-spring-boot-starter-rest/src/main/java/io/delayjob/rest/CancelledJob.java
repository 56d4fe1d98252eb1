package io.delayjob.rest;

import io.delayjob.job.CancelResult;

record CancelledJob(CancelResult result) implements ApiBody {}
