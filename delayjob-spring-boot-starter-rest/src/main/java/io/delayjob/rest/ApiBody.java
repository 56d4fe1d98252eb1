package io.delayjob.rest;

/** A request or response body of the REST API. Only {@link ApiBodyConverter} reads and writes these bodies. */
sealed interface ApiBody
        permits AnswerRequest,
                AnsweredJob,
                CancelledGroup,
                CancelledJob,
                ChangedJob,
                ClosedGroup,
                GroupView,
                GroupsView,
                JobRequest,
                JobView,
                JobsView,
                Problem,
                SubmittedJob,
                TimeRequest,
                WaitingJob,
                WaitingJobRequest {}
