package io.delayjob.rest;

/**
 * A body of the API. Only {@link ApiBodyConverter} reads and writes such a body, whatever converters the application
 * configures.
 */
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
