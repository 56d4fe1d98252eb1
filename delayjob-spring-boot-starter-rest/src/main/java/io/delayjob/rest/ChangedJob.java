package io.delayjob.rest;

import io.delayjob.job.ChangeResult;

record ChangedJob(String id, ChangeResult result) implements ApiBody {}
