------------------------------ MODULE Silence ------------------------------
(***************************************************************************)
(* Which instance is silent, and which one still trusts itself:            *)
(* Membership, with time.                                                  *)
(*                                                                         *)
(* One instance, the owner, sends heartbeats; the others watch its counter *)
(* in the register.  Every instance measures on its own monotonic clock    *)
(* and may rest between any two of its steps.  So a pause, a cut and a     *)
(* crash need no actions of their own.  Two properties are proved.  No     *)
(* instance is given up while it still trusts itself; Jobs.tla relies on   *)
(* that in GiveUp.  And an instance that sends heartbeats whenever the     *)
(* database is available is never given up, however long the database is   *)
(* away.                                                                   *)
(*                                                                         *)
(* A tick is one heartbeat interval: 2 s by default, so liveness is 5      *)
(* ticks.  An age counts the ticks that began since.  An age of less than  *)
(* n intervals has seen at most n of them begin, an age of n intervals at  *)
(* least n.  So each age is judged to the protocol's disadvantage.         *)
(***************************************************************************)
EXTENDS Naturals, TLC

CONSTANTS
    Observers,
    Mutant      \* the rule of the protocol that is broken; "none" in the product

Liveness == 5
TrustedFor == 4  \* Membership.trustedUntil: 4/5 of liveness
Gap == 2         \* Membership.observe: the observer itself must have been answered within two heartbeats

VARIABLES
    well,        \* the owner is never paused, and beats in every interval in which the database is available
    registered,  \* the owner's row is in delayjob_instance
    trust,       \* age of the owner's trust: of the request of its last acknowledged heartbeat
    request,     \* the heartbeat under way
    lost,        \* a heartbeat whose caller gave up waiting, and that may still be applied
    suspended,   \* the owner's machine sleeps: its monotonic clock stands still, but its wall clock will not
    parted,      \* its wall and monotonic clocks have moved apart since the newest answer
    doubtful,    \* they had moved apart when that answer came: it may be an old one
    sighting,    \* by observer: the owner's counter when it was last read
    away,        \* whether the database is away
    beaten       \* the owner's heartbeat was seen in this interval

vars == <<well, registered, trust, request, lost, suspended, parted, doubtful, sighting, away, beaten>>

Broken(rule) == Mutant = rule

NoRequest == [state |-> "none", age |-> 0]

Older(age, limit) == IF age < limit THEN age + 1 ELSE limit

(* StoreClock.isSteady *)
Steady == ~parted /\ ~doubtful

(* Membership.mayStart in the view of the owner, who cannot know yet whether it was given up. *)
TrustsItself == trust <= TrustedFor /\ ~suspended /\ Steady

Init ==
    /\ well \in BOOLEAN
    /\ registered = TRUE
    /\ trust = 0
    /\ request = NoRequest
    /\ lost = FALSE
    /\ suspended = FALSE /\ parted = FALSE /\ doubtful = FALSE
    /\ sighting = [m \in Observers |-> [counter |-> "none", since |-> 0, answered |-> 0, verdict |-> FALSE]]
    /\ away = FALSE
    /\ beaten = TRUE

----------------------------------------------------------------------------
(* The owner: Membership.beat. *)

Send ==
    /\ ~suspended
    /\ request.state = "none"
    /\ request' = [state |-> "sent", age |-> 0]
    /\ UNCHANGED <<well, registered, trust, lost, suspended, parted, doubtful, sighting, away, beaten>>

(* UPDATE delayjob_instance SET beats = beats + 1 WHERE number = ? *)
Count ==
    /\ sighting' = [m \in Observers |->
            [sighting[m] EXCEPT !.counter = IF @ = "current" THEN "old" ELSE @]]
    /\ beaten' = TRUE

Apply ==
    /\ request.state = "sent" /\ ~away
    /\ request' = [request EXCEPT !.state = IF registered THEN "acknowledged" ELSE "refused"]
    /\ IF registered THEN Count ELSE UNCHANGED <<sighting, beaten>>
    /\ UNCHANGED <<well, registered, trust, lost, suspended, parted, doubtful, away>>

(* Trust counts from before the request. *)
Acknowledge ==
    /\ ~suspended
    /\ request.state = "acknowledged"
    /\ trust' = IF Broken("trust counts from the answer") THEN 0 ELSE request.age
    /\ doubtful' = IF Broken("an answer that slept on its way counts") THEN FALSE ELSE parted
    /\ parted' = FALSE
    /\ request' = NoRequest
    /\ UNCHANGED <<well, registered, lost, suspended, sighting, away, beaten>>

(* An error instead of the answer.  A new heartbeat is sent, and the old one may be applied at any later moment. *)
LoseAnswer ==
    /\ ~suspended /\ ~well
    /\ request.state \in {"sent", "acknowledged"}
    /\ lost' = (lost \/ request.state = "sent")
    /\ request' = NoRequest
    /\ UNCHANGED <<well, registered, trust, suspended, parted, doubtful, sighting, away, beaten>>

ApplyLost ==
    /\ lost /\ ~away
    /\ lost' = FALSE
    /\ IF registered THEN Count ELSE UNCHANGED <<sighting, beaten>>
    /\ UNCHANGED <<well, registered, trust, request, suspended, parted, doubtful, away>>

(* Fault: the machine, not only the process, is stopped for a while. *)
Suspend ==
    /\ ~suspended /\ ~well
    /\ suspended' = TRUE
    /\ UNCHANGED <<well, registered, trust, request, lost, parted, doubtful, sighting, away, beaten>>

Resume ==
    /\ suspended
    /\ suspended' = FALSE
    /\ UNCHANGED <<well, registered, trust, request, lost, parted, doubtful, sighting, away, beaten>>

----------------------------------------------------------------------------
(* An observer: Membership.observe. *)

Look(m) ==
    /\ registered /\ ~away
    /\ LET s == sighting[m]
           deaf == s.answered > Gap /\ ~Broken("silence goes on while the observer hears nothing")
           same == s.counter = "current" /\ ~deaf
           since == IF same THEN s.since ELSE 0
       IN sighting' = [sighting EXCEPT ![m] =
            [counter |-> "current", since |-> since, answered |-> 0, verdict |-> since >= Liveness]]
    /\ UNCHANGED <<well, registered, trust, request, lost, suspended, parted, doubtful, away, beaten>>

(* DELETE FROM delayjob_instance WHERE number = ? AND beats = ?, with the counter that was read. *)
Remove(m) ==
    /\ registered /\ ~away
    /\ sighting[m].verdict
    /\ sighting[m].counter = "current" \/ Broken("removal that does not look again")
    /\ registered' = FALSE
    /\ sighting' = [sighting EXCEPT ![m].verdict = FALSE]
    /\ UNCHANGED <<well, trust, request, lost, suspended, parted, doubtful, away, beaten>>

(* Mutant: silence is measured by wall clocks, and this clock is set. *)
SetClock(m) ==
    /\ Broken("rescue without the observer's own clock")
    /\ sighting' = [sighting EXCEPT ![m].since = Liveness]
    /\ UNCHANGED <<well, registered, trust, request, lost, suspended, parted, doubtful, away, beaten>>

----------------------------------------------------------------------------
(* Time passes for all, but not on the monotonic clock of a machine that sleeps.  The database goes and comes. *)

Tick ==
    /\ well /\ registered => away \/ beaten
    /\ \E gone \in BOOLEAN : away' = gone
    /\ beaten' = FALSE
    /\ trust' = IF suspended THEN trust ELSE Older(trust, TrustedFor + 1)
    /\ request' = IF suspended \/ request.state = "none" THEN request
                  ELSE [request EXCEPT !.age = Older(@, TrustedFor + 1)]
    /\ parted' = (parted \/ suspended)
    /\ sighting' = [m \in Observers |-> [sighting[m] EXCEPT !.since = Older(@, Liveness), !.answered = Older(@, Gap + 1)]]
    /\ UNCHANGED <<well, registered, lost, suspended, doubtful>>

Next ==
    \/ Send \/ Apply \/ Acknowledge \/ LoseAnswer \/ ApplyLost \/ Suspend \/ Resume
    \/ \E m \in Observers : Look(m) \/ Remove(m) \/ SetClock(m)
    \/ Tick

Spec == Init /\ [][Next]_vars

Symmetry == Permutations(Observers)

----------------------------------------------------------------------------
(* An instance that is given up starts nothing any more, because its claims may be repeated. *)
SilentMeansDistrusted == ~registered => ~TrustsItself

(* An outage of the database makes no instance give up another one. *)
WellMeansRegistered == well => registered

=============================================================================
