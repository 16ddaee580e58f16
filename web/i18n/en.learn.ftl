# Lessons.

nav-learn = Learn
learn-title = Learn to play
learn-lead = Short lessons in which you do something at every step. Your stars are kept in this browser.
learn-progress = { $done } of { $all }
learn-steps = Steps
learn-hint = Hint
learn-again = Try again
learn-next = Next step
learn-next-chapter = Next chapter
learn-finish = All lessons
learn-go-on = Good. Go on.
learn-right = Right!
learn-stars =
    { $stars ->
        [1] 1 star of 3
        *[other] { $stars } stars of 3
    }
learn-hand = Your hand:
learn-trick = The trick so far:
learn-player = Player { $number }
learn-do-select = Check my choice
learn-do-play = Play
learn-do-bury = Bury
learn-do-declare = Declare
learn-throw = throw
learn-defenders-rise =
    { $levels ->
        [1] The defenders rise one level
        *[other] The defenders rise { $levels } levels
    }
learn-attackers-rise =
    { $levels ->
        [0] The attackers win and rise no level
        [1] The attackers win and rise one level
        *[other] The attackers win and rise { $levels } levels
    }

learn-why-nobody = You have no piece there.
learn-why-range = { $pieces } cannot reach { $square }: out of line or too far.
learn-why-terrain = { $pieces } cannot go to { $square }: wrong terrain.
learn-why-no-stack = These pieces cannot form a stack.
learn-why-river = { $pieces } cannot cross the river there.
learn-why-air-defence = Enemy air defence closes the way to { $square }.
learn-why-blocked = Something is in the way to { $square }.
learn-why-attacked = Your Commander could be captured then.
learn-why-exposed = The Commanders would face each other then.

learn-miss-reach = Not yet: { $pieces } should be on { $square }.
learn-miss-stack = Not yet: { $square } should hold exactly { $pieces }.
learn-miss-capture = The enemy on { $square } is still there.
learn-miss-by-move = The goal is a plain move.
learn-miss-by-capture = The goal is to capture and move there.
learn-miss-by-strike = The goal is to strike without moving.
learn-miss-by-kamikaze = The goal is a kamikaze attack.
learn-miss-by-combine = The goal is to combine two pieces.
learn-miss-by-deploy = The goal is a deployment.
learn-miss-heroic = { $pieces } should be heroic on { $square }.
learn-miss-check = That is not check.
learn-miss-mate = Check, but not mate: { $turn } parries it.
learn-miss-no-mate = That is not even check.
learn-miss-better = Legal, but there is something much better.
learn-miss-missing = Some are missing: { $cards }.
learn-miss-extra = These do not belong to it: { $cards }.
learn-miss-shape = Allowed, but not what was asked for: { $kind }.
learn-miss-loses = Allowed, but it does not win the trick.
learn-miss-wins = Allowed, but it should not win the trick.
learn-miss-few-points = Allowed, but you can give more points: at least { $points }.
learn-miss-points = That gives away { $points } points.
learn-miss-keep = Too good to bury: { $cards }.
learn-miss-not-void = You still have { $suit }: bury them all.
learn-miss-choice = Not quite. Read the rule again and count.

learn-round = A coached round
learn-round-lead = You are the starter and defend with your partner, who sits opposite. Bury eight cards, then play the whole round against the computer; every decision is commented.
learn-attackers-points = Attackers: { $points } points
learn-last-trick = The last trick:
learn-seat-0 = You
learn-seat-1 = Next opponent
learn-seat-2 = Partner
learn-seat-3 = Other opponent
learn-coach-bury-safe = Good: no points in the kitty.
learn-coach-bury-points = You have buried { $points } points: the attackers get them doubled or more if they win the last trick.
learn-coach-best = Just what a strong player would do.
learn-coach-good = A good play.
learn-coach-inaccuracy = { $cards } was better, by about { $loss } points on average.
learn-coach-mistake = A mistake: { $cards } was better, by about { $loss } points on average.
