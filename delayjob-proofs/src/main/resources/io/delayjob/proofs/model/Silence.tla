------------------------------ MODULE Silence ------------------------------
(***************************************************************************)
(* Who is silent, and who still trusts himself: Membership, with time.     *)
(*                                                                         *)
(* One instance, the owner, sends heartbeats; the others watch its counter *)
(* in the register.  Every instance measures on its own monotonic clock    *)
(* and may rest between any two of its steps, so a pause, a cut and a      *)
(* crash need no action of their own: nobody has to do anything.  What is  *)
(* proved: nobody is given up who still trusts himself (which is what      *)
(* Jobs.tla takes for granted in GiveUp), and who beats whenever the       *)
(* database is there is not given up at all, however long it is away.      *)
(*                                                                         *)
(* A tick is one heartbeat interval: 2 s by default, so that liveness is 5 *)
(* ticks.  What is less than n intervals old has seen at most n of them    *)
(* begin, and what is n intervals old at least n: every age counts the     *)
(* ticks that began since, so each is judged to the protocol's             *)
(* disadvantage.                                                           *)
(***************************************************************************)
EXTENDS Naturals, TLC

CONSTANTS
    Observers,
    Mutant      \* which rule of the protocol is broken; "none" in the product

Liveness == 5
TrustedFor == 4  \* Membership.trustedUntil: 4/5 of liveness
Gap == 2         \* Membership.observe: the observer itself must have been answered within two heartbeats

VARIABLES
    well,        \* the owner is never paused, and beats in every interval in which the database is there
    registered,  \* the owner's row is in delayjob_instance
    trust,       \* age of the owner's trust: of the request of its last acknowledged heartbeat
    request,     \* the heartbeat under way
    lost,        \* a heartbeat whose answer nobody waits for any more, and that may be applied yet
    suspended,   \* the owner's machine sleeps: its monotonic clock stands still, its wall clock will not have
    parted,      \* its wall and monotonic clock have moved apart since the newest answer
    doubtful,    \* they had when that came: it may be an old one
    sighting,    \* by observer: the owner's counter as it was seen last
    away,        \* the database is
    beaten       \* the owner's heart was heard in this interval

vars == <<well, registered, trust, request, lost, suspended, parted, doubtful, sighting, away, beaten>>

Broken(rule) == Mutant = rule

NoRequest == [state |-> "none", age |-> 0]

Older(age, limit) == IF age < limit THEN age + 1 ELSE limit

(* StoreClock.isSteady *)
Steady == ~parted /\ ~doubtful

(* Membership.mayStart, as the owner judges: it cannot know yet whether it was given up. *)
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

(* An error in place of the answer: it is sent anew; the old one may be applied at any later moment. *)
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

(* DELETE FROM delayjob_instance WHERE number = ? AND beats = ?, as it was seen. *)
Remove(m) ==
    /\ registered /\ ~away
    /\ sighting[m].verdict
    /\ sighting[m].counter = "current" \/ Broken("removal that does not look again")
    /\ registered' = FALSE
    /\ sighting' = [sighting EXCEPT ![m].verdict = FALSE]
    /\ UNCHANGED <<well, trust, request, lost, suspended, parted, doubtful, away, beaten>>

(* Mutant: silence is measured by wall clocks, and somebody sets this one. *)
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
(* Whoever is given up starts nothing any more: its claims may be repeated. *)
SilentMeansDistrusted == ~registered => ~TrustsItself

(* An outage of the database makes nobody pronounce anybody dead. *)
WellMeansRegistered == well => registered

=============================================================================
