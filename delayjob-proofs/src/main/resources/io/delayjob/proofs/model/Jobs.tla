-------------------------------- MODULE Jobs --------------------------------
(***************************************************************************)
(* Which instance may start a job, and which end of it counts.  This is    *)
(* the way of one row from the INSERT to the history, among instances that *)
(* crash, fall silent, lose answers and are given up as lost.              *)
(*                                                                         *)
(* "Leases give speed, tokens give safety": so this module leaves out      *)
(* leases, cursors and wheels.  From the moment when a version of the row  *)
(* waits, any instance may hold that version in memory for ever, and claim *)
(* it.  It is as if every instance led every partition, with a broken      *)
(* lease table.  Leases.tla says what leases are good for, Silence.tla why *)
(* a silent instance is silent, and Progress.tla that every row makes      *)
(* progress.                                                               *)
(*                                                                         *)
(* Statements.  Each action that calls the store stands for a statement    *)
(* that was sent, applied and answered.  Its sibling named ...Unanswered   *)
(* stands for the same statement with an error instead of the answer.  The *)
(* caller then goes on like the code, and the statement is kept in `late', *)
(* to be applied at any later moment, or never.  This covers three cases:  *)
(* the statement is lost on its way, the answer is lost after the commit,  *)
(* or the commit becomes visible long after the caller gave up.            *)
(*                                                                         *)
(* Answers.  Every handler that was called has handed out its ticket, and   *)
(* the work goes on outside.  An answer may come at any moment, and any    *)
(* instance takes it.  The deadline of an answer may come at any moment,   *)
(* too.  Answers share the bound of the faults.                            *)
(*                                                                         *)
(* Pauses.  Nothing makes an instance take its next step: every instance   *)
(* may rest between any two steps, for any time.                           *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    Nodes,      \* processes; a crashed one returns as a new incarnation
    Runs,       \* how often the finite sequence runs; its run r is due at time r
    MaxClaims,  \* bounds of the search: claims, and faults of all kinds and answers together
    MaxFaults,
    Mutant      \* the rule of the protocol that is broken; "none" in the product

ASSUME Runs \in Nat \ {0} /\ MaxClaims \in Nat /\ MaxFaults \in Nat

VARIABLES
    row,         \* the row of delayjob_job, or, once it has ended, of delayjob_history
    now,         \* store time
    seen,        \* versions of the row that may be in any instance's wheel or lanes
    attempts,    \* the state of each claim, in its instance's memory
    late,        \* statements under way whose caller gave up waiting
    registered,  \* the numbers in delayjob_instance
    life,        \* the current incarnation of each process
    beat,        \* the age of its last acknowledged heartbeat
    accepted,    \* history: how often the end of each run was accepted
    faults       \* how many faults have taken effect

vars == <<row, now, seen, attempts, late, registered, life, beat, accepted, faults>>

Claims == 1 .. MaxClaims

Broken(rule) == Mutant = rule

----------------------------------------------------------------------------
(* Tokens are random numbers that are never reused.  Here they are named after the transition that wrote them, which
   is equivalent. *)

Submitted == <<"submitted", 0>>
Claimed(c) == <<"claimed", c>>
Released(c) == <<"released", c>>
Completed(c) == <<"completed", c>>
Rescued(c) == <<"rescued", c>>
Answered(nth) == <<"answered", nth>>

(* The part of a row that a wheel keeps: DueRow. *)
Version(r) == [token |-> r.token, run |-> r.run]

NoNumber == <<>>

(* An instance's number, DelayJob's owner of a row: fresh at every registration. *)
Number(n) == <<n, life[n]>>

NoAttempt == [node |-> NoNumber, number |-> NoNumber, found |-> NoNumber, run |-> 0,
              handler |-> "none", duty |-> "none", outcome |-> "none",
              unsure |-> FALSE, settles |-> FALSE, excused |-> FALSE, awaits |-> FALSE, answered |-> FALSE]

Used(c) == attempts[c].found # NoNumber

NextClaim == Cardinality({c \in Claims : Used(c)}) + 1

(* The handler was called, whatever the result. *)
Started(c) == attempts[c].handler \in {"running", "over"}

(* The handler runs, or will run without any further check. *)
InFlight(c) == attempts[c].handler \in {"checked", "running"}

Init ==
    /\ row = [state |-> "uncommitted", token |-> Submitted, owner |-> NoNumber, run |-> 1,
              cancelRequested |-> FALSE, doubt |-> 0, attempt |-> 0, lost |-> FALSE, parked |-> 0]
    /\ now = 1
    /\ seen = {}
    /\ attempts = [c \in Claims |-> NoAttempt]
    /\ late = {}
    /\ life = [n \in Nodes |-> 1]
    /\ beat = [n \in Nodes |-> "young"]
    /\ registered = {<<n, 1>> : n \in Nodes}
    /\ accepted = [r \in 1 .. Runs |-> 0]
    /\ faults = 0

Fault == faults < MaxFaults /\ faults' = faults + 1

UNCHANGEDMembers == UNCHANGED <<registered, life, beat>>

(* Writes the row; from now on a waiting one may be in memory. *)
Write(r) ==
    /\ row' = r
    /\ seen' = IF r.state = "DELAYED" THEN seen \cup {Version(r)} ELSE seen

Note(c, attempt) == attempts' = [attempts EXCEPT ![c] = attempt]

----------------------------------------------------------------------------
(* Submit, time, cancel: JobStore.submit, JobStore.cancel. *)

Commit ==
    /\ row.state = "uncommitted"
    /\ Write([row EXCEPT !.state = "DELAYED"])
    /\ UNCHANGED <<now, attempts, late, accepted, faults>> /\ UNCHANGEDMembers

Rollback ==
    /\ row.state = "uncommitted"
    /\ Write([row EXCEPT !.state = "never"])
    /\ UNCHANGED <<now, attempts, late, accepted, faults>> /\ UNCHANGEDMembers

(* Mutant: HandOver.add hands over at once and not in afterCommit. *)
HandOverBeforeCommit ==
    /\ Broken("hand-over before commit")
    /\ row.state = "uncommitted"
    /\ seen' = seen \cup {Version(row)}
    /\ UNCHANGED <<row, now, attempts, late, accepted, faults>> /\ UNCHANGEDMembers

(* Time passes only while a run is waited for, because at other moments it would make no difference. *)
Tick ==
    /\ row.state = "DELAYED" /\ now < row.run
    /\ now' = now + 1
    /\ UNCHANGED <<row, seen, attempts, late, accepted, faults>> /\ UNCHANGEDMembers

(* Nobody knows whether the work outside goes on: Endings.Ending.cancelled. *)
CancelledRow(r) ==
    [r EXCEPT !.state = "CANCELLED", !.owner = NoNumber, !.parked = 0, !.doubt = IF r.parked # 0 THEN @ + 1 ELSE @]

(* A waiting row moves to the history at once; a running one gets no further attempt. *)
Cancel ==
    /\ \/ /\ row.state = "DELAYED" \/ (Broken("blind cancel") /\ row.state = "RUNNING")
          /\ Write(CancelledRow(row))
       \/ /\ row.state = "RUNNING" /\ ~row.cancelRequested /\ ~Broken("blind cancel")
          /\ Write([row EXCEPT !.cancelRequested = TRUE])
    /\ UNCHANGED <<now, attempts, late, accepted, faults>> /\ UNCHANGEDMembers

(* The answer of cancel once the row is in the history: ByHand.cancelled. *)
CleanlyCancelled == row.state = "CANCELLED" /\ row.doubt = 0

----------------------------------------------------------------------------
(* Which instances are alive: Membership. *)

(* Membership.mayStart: the number is still registered, and its last acknowledged heartbeat is recent. *)
MayStart(number) == \E n \in Nodes : number = Number(n) /\ beat[n] = "young"

(* The instance has something to lose.  Faults of other instances make no difference. *)
Busy(n) == \E c \in Claims : attempts[c].node = n /\ (attempts[c].duty # "none" \/ InFlight(c) \/ attempts[c].settles)

(* The rest of an attempt when its process is gone. *)
Lost(c, n) ==
    IF attempts[c].node # n THEN attempts[c]
    ELSE [attempts[c] EXCEPT !.handler = IF @ = "running" THEN "over" ELSE IF @ = "checked" THEN "none" ELSE @,
                             !.duty = "none", !.settles = FALSE]

(* Fault: kill -9.  The number stays in the register without heartbeats.  A process that is started again is a new
   incarnation with its own number: any other of the Nodes. *)
Crash(n) ==
    /\ beat[n] # "gone" /\ Busy(n)
    /\ Fault
    /\ attempts' = [c \in Claims |-> Lost(c, n)]
    /\ beat' = [beat EXCEPT ![n] = "gone"]
    /\ UNCHANGED <<row, now, seen, late, registered, life, accepted>>

(* EngineRun.stop, Membership.leave: only when no attempt is under way.  Claims that could not be released are forgotten. *)
Leave(n) ==
    /\ beat[n] # "gone" /\ Busy(n)
    /\ \A c \in Claims : attempts[c].node = n => ~InFlight(c) /\ attempts[c].duty # "complete"
    /\ Fault
    /\ attempts' = [c \in Claims |-> Lost(c, n)]
    /\ registered' = registered \ {Number(n)}
    /\ beat' = [beat EXCEPT ![n] = "gone"]
    /\ UNCHANGED <<row, now, seen, late, life, accepted>>

(* Fault: a pause, cut or stall for longer than an instance trusts itself: 4/5 of liveness. *)
GoUnheard(n) ==
    /\ beat[n] = "young" /\ Busy(n)
    /\ Fault
    /\ beat' = [beat EXCEPT ![n] = "old"]
    /\ UNCHANGED <<row, now, seen, attempts, late, registered, life, accepted>>

(* Fault: the database is away for all instances. *)
Outage ==
    /\ Cardinality({n \in Nodes : beat[n] = "young" /\ Busy(n)}) > 1
    /\ Fault
    /\ beat' = [n \in Nodes |-> IF beat[n] = "young" /\ Busy(n) THEN "old" ELSE beat[n]]
    /\ UNCHANGED <<row, now, seen, attempts, late, registered, life, accepted>>

(* The instance stays unheard for a whole liveness period. *)
FallSilent(n) ==
    /\ beat[n] = "old"
    /\ beat' = [beat EXCEPT ![n] = "silent"]
    /\ attempts' = [c \in Claims |-> IF attempts[c].number = Number(n) /\ InFlight(c)
                                           THEN [attempts[c] EXCEPT !.excused = TRUE] ELSE attempts[c]]
    /\ UNCHANGED <<row, now, seen, late, registered, life, accepted, faults>>

(* Membership.beat.  If the instance was given up meanwhile, it is registered anew. *)
Beat(n) ==
    /\ beat[n] \in {"old", "silent"}
    /\ beat' = [beat EXCEPT ![n] = "young"]
    /\ IF Number(n) \in registered
         THEN UNCHANGED <<registered, life>>
         ELSE /\ life' = [life EXCEPT ![n] = @ + 1]
              /\ registered' = registered \cup {<<n, life[n] + 1>>}
    /\ UNCHANGED <<row, now, seen, attempts, late, accepted, faults>>

(* No process sends heartbeats for this number. *)
IsSilent(number) == \A n \in Nodes : number = Number(n) => beat[n] \in {"gone", "silent"}

(* Membership.isSilent, InstanceStore.remove.  The heartbeats of the observer must be answered.  Silence.tla shows that
   this observer, with its own clock, gives up no instance that still trusts itself. *)
GiveUp(number) ==
    /\ number \in registered
    /\ row.owner = number \/ \E c \in Claims : <<"claim", c>> \in late /\ attempts[c].number = number
    /\ IsSilent(number) \/ Broken("rescue without the observer's own clock")
    /\ \E observer \in Nodes : beat[observer] = "young" /\ Number(observer) # number
    /\ registered' = registered \ {number}
    /\ UNCHANGED <<row, now, seen, attempts, late, life, beat, accepted, faults>>

----------------------------------------------------------------------------
(* Claim and release: Claimer, JobStore.claim, JobStore.release. *)

(* UPDATE ... SET state = RUNNING, owner, token WHERE id = ? AND token = ? *)
ClaimMatches(found) ==
    /\ row.state = "DELAYED"
    /\ row.token = found \/ Broken("claim without token")

(* A claim at the deadline of an answer counts no attempt.  So the ticket of the waiting attempt stays good. *)
ClaimedRow(c, number) ==
    [row EXCEPT !.state = "RUNNING", !.token = Claimed(c), !.owner = number,
                !.attempt = IF row.parked # 0 THEN @ ELSE c, !.lost = FALSE]

(* The instance estimates store time from below. *)
IsDue(run) == run <= now \/ Broken("application clock instead of store clock")

(* Claimer.doWork: the instance may start jobs, and has no release to send. *)
MayClaim(n) ==
    /\ NextClaim \in Claims
    /\ MayStart(Number(n))
    /\ \A c \in Claims : attempts[c].node = n => attempts[c].duty # "release"

Attempt(n, version, duty) ==
    [NoAttempt EXCEPT !.node = n, !.number = Number(n), !.found = version.token, !.run = row.run, !.duty = duty,
                       !.awaits = row.parked # 0]

(* The row may be due or not.  How early a row may be claimed does not matter here. *)
Claim(n) ==
    /\ MayClaim(n)
    /\ ~Broken("no claim")
    /\ \E version \in seen :
        /\ ClaimMatches(version.token)
        /\ Write(ClaimedRow(NextClaim, Number(n)))
        /\ Note(NextClaim, Attempt(n, version, "start"))
    /\ UNCHANGED <<now, late, accepted, faults>> /\ UNCHANGEDMembers

(* The outcome is unknown, so the claim is released in either case. *)
ClaimUnanswered(n) ==
    /\ MayClaim(n)
    /\ Fault
    /\ \E version \in seen :
        /\ ClaimMatches(version.token)
        /\ Note(NextClaim, Attempt(n, version, IF Broken("unknown claims not released") THEN "none" ELSE "release"))
    /\ late' = late \cup {<<"claim", NextClaim>>}
    /\ UNCHANGED <<row, now, seen, accepted>> /\ UNCHANGEDMembers

(* Mutant: any instance with the row in its wheel starts the job. *)
StartUnclaimed(n) ==
    /\ Broken("no claim")
    /\ MayClaim(n)
    /\ \E version \in seen : IsDue(version.run) /\ Note(NextClaim, Attempt(n, version, "start"))
    /\ UNCHANGED <<row, now, seen, late, accepted, faults>> /\ UNCHANGEDMembers

(* UPDATE ... SET state = DELAYED, token WHERE id = ? AND token IN (as found, as claimed) *)
ReleaseMatches(c) == row.token \in {attempts[c].found, Claimed(c)} /\ row.state \in {"DELAYED", "RUNNING"}

ReleasedRow(c) ==
    LET released == [row EXCEPT !.state = "DELAYED", !.token = Released(c), !.owner = NoNumber]
    IN IF row.cancelRequested THEN CancelledRow(released) ELSE released

(* Attempts.giveBack: the job may no longer start.  Lane.comeDue, Lanes.follow: it is due much later, or paused. *)
GiveBack(c) ==
    /\ attempts[c].duty = "start"
    /\ ~MayStart(attempts[c].number) \/ ~IsDue(attempts[c].run)
    /\ Note(c, [attempts[c] EXCEPT !.duty = "release"])
    /\ UNCHANGED <<row, now, seen, late, accepted, faults>> /\ UNCHANGEDMembers

Release(c) ==
    /\ attempts[c].duty = "release"
    /\ Note(c, [attempts[c] EXCEPT !.duty = "none"])
    /\ IF ReleaseMatches(c) THEN Write(ReleasedRow(c)) ELSE UNCHANGED <<row, seen>>
    /\ UNCHANGED <<now, late, accepted, faults>> /\ UNCHANGEDMembers

(* The release is sent again until it is answered. *)
ReleaseUnanswered(c) ==
    /\ attempts[c].duty = "release"
    /\ <<"release", c>> \notin late
    /\ ReleaseMatches(c)
    /\ Fault
    /\ late' = late \cup {<<"release", c>>}
    /\ UNCHANGED <<row, now, seen, attempts, accepted>> /\ UNCHANGEDMembers

----------------------------------------------------------------------------
(* Attempt: Attempts.attempt. *)

(* The last check: the job is due, and the number is still registered and trusted. *)
Check(c) ==
    /\ attempts[c].duty = "start" /\ ~attempts[c].awaits
    /\ IsDue(attempts[c].run)
    /\ MayStart(attempts[c].number) \/ Broken("start without a look at the heartbeat")
    /\ Note(c, [attempts[c] EXCEPT !.handler = "checked", !.duty = "none"])
    /\ UNCHANGED <<row, now, seen, late, accepted, faults>> /\ UNCHANGEDMembers

Start(c) ==
    /\ attempts[c].handler = "checked"
    /\ Note(c, [attempts[c] EXCEPT !.handler = "running"])
    /\ UNCHANGED <<row, now, seen, late, accepted, faults>> /\ UNCHANGEDMembers

End(c, outcome) ==
    /\ attempts[c].handler = "running" /\ attempts[c].outcome = "none"
    /\ Note(c, [attempts[c] EXCEPT !.handler = "over", !.duty = "complete", !.outcome = outcome])
    /\ UNCHANGED <<row, now, seen, late, accepted, faults>> /\ UNCHANGEDMembers

(* Judge.notAnswered: the deadline of the answer has come.  The job was claimed, but no handler is called. *)
NotAnswered(c) ==
    /\ attempts[c].duty = "start" /\ attempts[c].awaits
    /\ Note(c, [attempts[c] EXCEPT !.duty = "complete", !.outcome = "silence"])
    /\ UNCHANGED <<row, now, seen, late, accepted, faults>> /\ UNCHANGEDMembers

(* Fault: the attempt exceeds its timeout and the grace after the interruption.  Attempt.writeOff. *)
WriteOff(c) ==
    /\ attempts[c].handler = "running" /\ attempts[c].outcome = "none"
    /\ Fault
    /\ Note(c, [attempts[c] EXCEPT !.duty = "complete", !.outcome = "timeout"])
    /\ UNCHANGED <<row, now, seen, late, accepted>> /\ UNCHANGEDMembers

(* An attempt ends after its write-off: Completer.addLateEnd. *)
EndLate(c) ==
    /\ attempts[c].handler = "running" /\ attempts[c].outcome = "timeout"
    /\ Note(c, [attempts[c] EXCEPT !.handler = "over", !.settles = TRUE])
    /\ UNCHANGED <<row, now, seen, late, accepted, faults>> /\ UNCHANGEDMembers

----------------------------------------------------------------------------
(* Complete: Completer, JobStore.complete, JobStore.settleDoubt. *)

(* ... WHERE id = ? AND token = ? *)
CompletionMatches(c) ==
    /\ row.state = "RUNNING"
    /\ row.token = Claimed(c) \/ Broken("completion that checks the state only")

(* Transition.after, with the effect of a requested cancellation. *)
CompletedRow(c) ==
    LET a == attempts[c]
        last == a.outcome = "success" /\ a.run = Runs
    IN [row EXCEPT !.state = IF last THEN "FINISHED" ELSE IF row.cancelRequested THEN "CANCELLED" ELSE "DELAYED",
                   !.run = IF a.outcome = "success" /\ ~last THEN a.run + 1 ELSE a.run,
                   !.token = Completed(c), !.owner = NoNumber,
                   !.parked = IF a.outcome = "await" /\ ~row.cancelRequested THEN c ELSE 0,
                   !.doubt = IF \/ a.outcome \in {"timeout", "silence"}
                                \/ a.outcome = "await" /\ row.cancelRequested
                               THEN @ + 1 ELSE @]

Accept(c) ==
    /\ Write(CompletedRow(c))
    /\ accepted' = IF attempts[c].outcome = "success"
                     THEN [accepted EXCEPT ![attempts[c].run] = @ + 1] ELSE accepted

(* A refused completion is compared with the present row: MemoryJobStore.completeAgain. *)
WasAccepted(c) == row.token = Completed(c)

(* Another end of the attempt was accepted, and the attempt was not rescued: Completion.isSupersededIn. *)
IsSuperseded(c) == row.attempt = c /\ ~row.lost

Complete(c) ==
    /\ attempts[c].duty = "complete"
    /\ IF CompletionMatches(c)
         THEN Accept(c) /\ Note(c, [attempts[c] EXCEPT !.duty = "none"])
         ELSE LET a == attempts[c]
                  fenced == ~WasAccepted(c)
                  certain == ~a.unsure \/ Broken("doubt settled by an echo")
                  ended == a.outcome \in {"success", "failure"} \/ (a.outcome = "await" /\ IsSuperseded(c))
              IN /\ Note(c, [a EXCEPT !.duty = "none", !.settles = @ \/ (fenced /\ certain /\ ended)])
                 /\ UNCHANGED <<row, seen, accepted>>
    /\ UNCHANGED <<now, late, faults>> /\ UNCHANGEDMembers

(* The completion is sent again, unchanged, until it is answered. *)
CompleteUnanswered(c) ==
    /\ attempts[c].duty = "complete"
    /\ <<"complete", c>> \notin late
    /\ CompletionMatches(c)
    /\ Fault
    /\ Note(c, [attempts[c] EXCEPT !.unsure = TRUE])
    /\ late' = late \cup {<<"complete", c>>}
    /\ UNCHANGED <<row, now, seen, accepted>> /\ UNCHANGEDMembers

SettledRow == [row EXCEPT !.doubt = IF @ > 0 THEN @ - 1 ELSE 0]

(* Sent once.  A doubt that remains only makes cancel careful.  A doubt that is lowered twice gives wrong answers. *)
MaySettle(c) == attempts[c].settles /\ attempts[c].duty = "none"

Settle(c) ==
    /\ MaySettle(c)
    /\ Note(c, [attempts[c] EXCEPT !.settles = FALSE])
    /\ Write(SettledRow)
    /\ UNCHANGED <<now, late, accepted, faults>> /\ UNCHANGEDMembers

SettleUnanswered(c) ==
    /\ MaySettle(c)
    /\ Fault
    /\ Note(c, [attempts[c] EXCEPT !.settles = FALSE])
    /\ late' = late \cup {<<"settle", c>>}
    /\ UNCHANGED <<row, now, seen, accepted>> /\ UNCHANGEDMembers

----------------------------------------------------------------------------
(* Rescue: Rescuer, JobStore.rescue.  Done by any instance, leader or not. *)

(* Owners.lost.  The row is read first, then the register.  An owner registers before it claims, and its number never
   comes again.  So a missing number has left. *)
IsAbandoned(c) == row.state = "RUNNING" /\ row.token = Claimed(c) /\ row.owner \notin registered

RescuedRow ==
    [row EXCEPT !.state = IF row.cancelRequested THEN "CANCELLED" ELSE "DELAYED",
                !.token = Rescued(row.token[2]), !.owner = NoNumber, !.parked = 0, !.lost = TRUE,
                !.doubt = IF Broken("rescue without doubt") THEN @ ELSE @ + 1]

Rescue(c) ==
    /\ IsAbandoned(c)
    /\ Write(RescuedRow)
    /\ UNCHANGED <<now, attempts, late, accepted, faults>> /\ UNCHANGEDMembers

(* The statement has found silent owners and waits for the row's lock, or its caller gets no answer. *)
RescueUnanswered(c) ==
    /\ IsAbandoned(c)
    /\ <<"rescue", c>> \notin late
    /\ Fault
    /\ late' = late \cup {<<"rescue", c>>}
    /\ UNCHANGED <<row, now, seen, attempts, accepted>> /\ UNCHANGEDMembers

(* The row is rescued if it has not changed since it was read. *)
RescueMatches(c) ==
    /\ row.state = "RUNNING"
    /\ row.token = Claimed(c) \/ Broken("rescue that does not look again")

----------------------------------------------------------------------------
(* Answers from outside: JobChanges.answer, AnswerTicket.fits, Completions.ofAnswer. *)

(* A success counts for every attempt at the run.  A failure counts only for the attempt under way. *)
Fits(c, done) ==
    /\ Started(c)
    /\ row.state \in {"DELAYED", "RUNNING"}
    /\ row.run = attempts[c].run \/ Broken("answer ignores the run")
    /\ done \/ (row.attempt = c /\ (row.state = "RUNNING" \/ row.parked # 0))

(* The handler is still under way, or the work outside of another attempt. *)
LeavesAnAttempt(c) == IF row.parked # 0 THEN row.parked # c ELSE row.state = "RUNNING"

AnsweredRow(c, done) ==
    LET last == done /\ attempts[c].run = Runs
    IN [row EXCEPT !.state = IF last THEN "FINISHED" ELSE IF row.cancelRequested THEN "CANCELLED" ELSE "DELAYED",
                   !.run = IF done /\ ~last THEN attempts[c].run + 1 ELSE @,
                   !.token = Answered(faults'), !.owner = NoNumber, !.parked = 0,
                   !.lost = IF done /\ ~last THEN FALSE ELSE @,
                   !.doubt = IF LeavesAnAttempt(c) /\ ~Broken("answer raises no doubt") THEN @ + 1 ELSE @]

(* If the run is done, the work outside is done for all attempts at the run.  A handler that is under way or about
   to start may overlap the next attempt, because it was answered. *)
Answer(c, done) ==
    /\ Fits(c, done)
    /\ Fault
    /\ Write(AnsweredRow(c, done))
    /\ attempts' = [d \in Claims |->
            [attempts[d] EXCEPT !.answered = @ \/ d = c \/ (done /\ attempts[d].run = attempts[c].run),
                                !.excused = @ \/ InFlight(d) \/ attempts[d].duty = "start"]]
    /\ accepted' = IF done THEN [accepted EXCEPT ![attempts[c].run] = @ + 1] ELSE accepted
    /\ UNCHANGED <<now, late>> /\ UNCHANGEDMembers

(* Work outside that the row no longer waits for, and that nobody has answered for. *)
OutsideInFlight ==
    {c \in Claims : /\ attempts[c].outcome = "await" /\ attempts[c].handler = "over" /\ ~attempts[c].answered
                    /\ row.parked # c /\ row.token # Claimed(c)}

----------------------------------------------------------------------------
(* Statements without a waiting caller are applied at some time.  Statements that match nothing are left out. *)

Late(what, c) ==
    /\ <<what, c>> \in late
    /\ late' = late \ {<<what, c>>}
    /\ UNCHANGED <<now, attempts, faults>> /\ UNCHANGEDMembers

ClaimLate(c) ==
    /\ Late("claim", c)
    /\ ClaimMatches(attempts[c].found)
    /\ Write(ClaimedRow(c, attempts[c].number))
    /\ UNCHANGED accepted

ReleaseLate(c) == Late("release", c) /\ ReleaseMatches(c) /\ Write(ReleasedRow(c)) /\ UNCHANGED accepted

CompleteLate(c) == Late("complete", c) /\ CompletionMatches(c) /\ Accept(c)

SettleLate(c) == Late("settle", c) /\ Write(SettledRow) /\ UNCHANGED accepted

RescueLate(c) == Late("rescue", c) /\ RescueMatches(c) /\ Write(RescuedRow) /\ UNCHANGED accepted

----------------------------------------------------------------------------
OfTheApplication == Commit \/ Rollback \/ HandOverBeforeCommit \/ Tick \/ Cancel

OfNode(n) ==
    \/ Crash(n) \/ Leave(n) \/ GoUnheard(n) \/ FallSilent(n) \/ Beat(n)
    \/ Claim(n) \/ ClaimUnanswered(n) \/ StartUnclaimed(n)

OfAttempt(c) ==
    \/ Check(c) \/ Start(c) \/ End(c, "success") \/ End(c, "failure") \/ WriteOff(c) \/ EndLate(c)
    \/ End(c, "await") \/ NotAnswered(c) \/ Answer(c, TRUE) \/ Answer(c, FALSE)
    \/ Complete(c) \/ CompleteUnanswered(c) \/ CompleteLate(c)
    \/ Settle(c) \/ SettleUnanswered(c) \/ SettleLate(c)
    \/ GiveBack(c) \/ Release(c) \/ ReleaseUnanswered(c) \/ ReleaseLate(c)
    \/ ClaimLate(c)
    \/ Rescue(c) \/ RescueUnanswered(c) \/ RescueLate(c)

Next ==
    \/ OfTheApplication
    \/ \E n \in Nodes : OfNode(n)
    \/ \E c \in Claims : OfAttempt(c)
    \/ \E n \in Nodes, nth \in 1 .. MaxFaults + 1 : GiveUp(<<n, nth>>)
    \/ Outage

Spec == Init /\ [][Next]_vars

(* Two states count as one if they differ only in parts without further effect, or in the names of instances.  Without
   VIEW the result is the same, but takes longer. *)
View ==
    LET MayMatch(statement) ==
            LET c == statement[2] IN
            CASE statement[1] = "claim" -> row.token = attempts[c].found \/ Broken("claim without token")
              [] statement[1] = "release" -> row.token \in {attempts[c].found, Claimed(c)}
              [] statement[1] \in {"complete", "rescue"} -> row.token = Claimed(c)
              [] OTHER -> TRUE
        pending == {statement \in late : MayMatch(statement)}
        answerable == IF faults = MaxFaults THEN {} ELSE {c \in Claims : Fits(c, TRUE)}
        alive == {c \in Claims : attempts[c].duty # "none" \/ InFlight(c) \/ attempts[c].settles}
                     \cup {statement[2] : statement \in pending} \cup answerable
        mentioned == {attempts[c].found : c \in alive} \cup {Completed(c) : c \in alive}
        Standing(number) == <<\E n \in Nodes : number = Number(n), number \in registered>>
        AttemptView(c) ==
            LET a == attempts[c]
                numberMatters == InFlight(c) \/ a.duty = "start" \/ <<"claim", c>> \in pending
            IN [a EXCEPT !.node = <<>>,
                         !.number = IF numberMatters THEN Standing(@) ELSE <<>>,
                         !.found = IF row.token = @ THEN @ ELSE <<>>,
                         !.excused = @ /\ (InFlight(c) \/ a.duty = "start")]
        RowView == [row EXCEPT !.token = IF row.state = "RUNNING" \/ @ \in mentioned THEN @ ELSE <<>>,
                               !.owner = IF @ = NoNumber THEN @ ELSE Standing(@),
                               !.attempt = IF @ \in alive THEN @ ELSE 0,
                               !.lost = @ /\ row.attempt \in alive]
        (* An instance without its name. *)
        NodeView(n) == <<beat[n], Number(n) \in registered, {c \in alive : attempts[c].node = n},
                         row.owner # NoNumber /\ row.owner[1] = n>>
        views == [n \in Nodes |-> NodeView(n)]
    IN <<RowView, now, Version(row) \in seen, [c \in Claims |-> IF c \in alive THEN AttemptView(c) ELSE Used(c)], pending,
         {<<view, Cardinality({n \in Nodes : views[n] = view})>> : view \in {views[n] : n \in Nodes}},
         accepted, faults, Cardinality(OutsideInFlight)>>

----------------------------------------------------------------------------
(* What must hold. *)

TypeOK ==
    /\ row.state \in {"uncommitted", "never", "DELAYED", "RUNNING", "FINISHED", "CANCELLED"}
    /\ row.run \in 1 .. Runs /\ row.doubt \in Nat /\ now \in 1 .. Runs
    /\ beat \in [Nodes -> {"young", "old", "silent", "gone"}]

(* No wheel knows an uncommitted row, so a job that is rolled back never runs. *)
OnlyCommittedRowsInMemory == row.state \in {"uncommitted", "never"} => seen = {}

(* No two attempts start from the same version of the row. *)
TokenStartsOnce == \A c, d \in Claims : Started(c) /\ Started(d) /\ c # d => attempts[c].found # attempts[d].found

(* By store time. *)
NeverEarly == [][\A c \in Claims : attempts[c].handler = "checked" /\ attempts'[c].handler = "running"
                                      => attempts[c].run <= now]_vars

(* "CANCELLED" is a promise. *)
NoStartAfterCleanCancel == [][\A c \in Claims : attempts[c].handler = "checked" /\ attempts'[c].handler = "running"
                                                  => ~CleanlyCancelled]_vars

CleanCancelLeavesNothingInFlight == CleanlyCancelled => \A c \in Claims : ~InFlight(c)

(* in_doubt counts attempts that may be under way although the row moved on; it may be too high, never too low. *)
DoubtIsNeverTooLow ==
    row.doubt >= Cardinality({c \in Claims : InFlight(c) /\ row.token # Claimed(c)} \cup OutsideInFlight)

(* Each process ends only its own attempts. *)
CompletionEndsOnlyItsOwn ==
    [][\A c \in Claims : row'.token = Completed(c) /\ row.token # Completed(c)
                           => row.token = Claimed(c) /\ row.run = attempts[c].run]_vars

(* A finite sequence is completed exactly its number of times, each run once. *)
EachRunIsAcceptedOnce ==
    /\ \A r \in 1 .. Runs : accepted[r] <= 1
    /\ row.state = "FINISHED" => \A r \in 1 .. Runs : accepted[r] = 1

(* Two attempts overlap only if one of them was silent for a liveness period, exceeded its timeout, or was answered. *)
OverlapOnlyAfterSilence ==
    LET Excused(c) == attempts[c].excused \/ attempts[c].outcome = "timeout"
    IN \A c, d \in Claims :
        attempts[c].handler = "running" /\ attempts[d].handler = "running" /\ c # d => Excused(c) \/ Excused(d)

(* A RUNNING row belongs to the instance that has it in memory.  Once that owner is given up, the rescuer has it. *)
RunningRowIsRemembered ==
    \A c \in Claims :
        (row.state = "RUNNING" /\ row.token = Claimed(c) /\ row.owner \in registered
           /\ \E n \in Nodes : row.owner = Number(n) /\ beat[n] # "gone")
            => attempts[c].duty # "none" \/ InFlight(c)

=============================================================================
