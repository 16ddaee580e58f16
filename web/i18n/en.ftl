# The site
site-name = Convoy
site-title = Convoy: Cờ Tư Lệnh and Tractor in the browser
site-description = Play Cờ Tư Lệnh (Commander Chess) against bots or friends, without an account. Analysis, replay, rules.
skip = Skip to the content
nav-label = Main
nav-play = Play
nav-analysis = Analysis
nav-editor = Editor
nav-rules = Rules
nav-archive = Games
language = Language
settings = Settings
footer = Convoy is free software. Boards, pieces and sounds are its own.
needs-script = This page needs JavaScript to play; the picture shows the present position.
go-home = To the home page
close = Close
copy = Copy
copied = Copied
copy-link = Copy the link
load = Load
you = you

# Home
home-title = Command land, sea and air
home-lead = Cờ Tư Lệnh is the Vietnamese chess of combined arms: pieces carry each other, land together, and strike from afar.
play-now = Play now
play-bot = Play the bot
learn-rules = Learn the rules
start-alt = The start position on the board: sea on the left, a river across the middle, 19 pieces a side
new-game = New game
opponent = Opponent
opponent-bot = Computer
opponent-friend = A friend, by link
opponent-open = Anyone
level = Level
level-n = Level { $level }
color = Your side
color-random = Random
minutes = Minutes a side
increment = Seconds added a turn
no-clock = no clock
from-fen = Start from a position (FEN)
start-game = Start
open-challenges = Open challenges
live-games = Games being played
none-open = Nobody is waiting. Be the first: choose “Anyone”.
none-live = No game is being played right now.
game-cotulenh = Cờ Tư Lệnh
game-tractor = Tractor
turn-count = { $count ->
    [one] 1 turn
   *[other] { $count } turns
}
what-title = What makes it different
what-terrain = Terrain
what-terrain-text = Ships own two files of sea; a river with two bridges cuts the land in half.
what-stacks = Stacks
what-stacks-text = A ship carries aircraft and tanks, a tank carries infantry: up to three pieces travel as one.
what-deploy = Deploys
what-deploy-text = In one turn a stack can unload in several directions, and capture on the way.
what-air = Air defence
what-air-text = Missiles, guns and ships guard the air; an aircraft that enters can only die fighting.
what-heroic = Heroes
what-heroic-text = A piece that attacks the commander becomes heroic: one square further, in every direction.

# Pieces and the board
piece-c = Commander
piece-i = Infantry
piece-t = Tank
piece-m = Militia
piece-e = Engineer
piece-a = Artillery
piece-g = Anti-air Gun
piece-s = Missile
piece-f = Air Force
piece-n = Navy
piece-h = Headquarters
reach-c = goes any distance along files and ranks, captures one square away
reach-i = goes and captures 1 square along files and ranks
reach-t = goes and captures up to 2 squares along files and ranks
reach-m = goes and captures 1 square in every direction
reach-e = goes and captures 1 square along files and ranks; carries heavy pieces over the river
reach-a = goes and captures up to 3 squares in every direction, shoots over pieces
reach-g = goes and captures 1 square along files and ranks; guards the air around it
reach-s = goes and captures 2 squares straight or 1 diagonally, shoots over pieces; guards the air within 2 squares
reach-f = flies up to 4 squares in every direction over everything; fears air cover
reach-n = sails up to 4 squares in every direction; torpedo 4, guns 3; guards the air around it
reach-h = does not move
reach-heroic = (heroic: one square further, in all eight directions)
color-r = red
color-b = blue
side-r = Red
side-b = Blue
colored-piece = { $color } { $piece }
heroic = heroic
heroic-piece = heroic { $piece }
carrying = carrying { $cargo }
carries = { $carrier } carries: { $cargo }
empty = empty
board-label = Board. Arrow keys move, Enter selects and plays, D shows air cover.

# Marks, choices and drafts
mark-move = can move here
mark-join = can combine here
mark-take = can take
mark-strike = can strike without moving
mark-both = can take or strike
mark-kamikaze = can be destroyed by kamikaze
why-exposed = Not allowed: your commander would face the enemy commander
why-attacked = Not allowed: your commander could be captured
chips-label = Take or strike
chip-take = Take
chip-strike = Strike
take-or-strike = { $square }: Enter takes and moves there, S strikes and stays
tray-label = Parts of the stack that move
tray-hint = Choose a piece. For a stack, choose here which parts move.
deploy = Deploy
deploying = Deploying { $moved } of { $all }:
deploy-stays = { $pieces } on { $square } so far.
deploy-none = all have moved.
deploy-done = { $count ->
    [one] deploy of one step
   *[other] deploy of { $count } steps
}
undo = Undo
cancel = Cancel
done = Done
confirm = Confirm
confirm-turn = Play { $turn }?
undone = Step taken back
cancelled = Deploy cancelled
finish-first = Finish or cancel the deploy first
cannot-commit = The turn cannot end like this: take a step back or go on.
cannot-commit-terrain = What is left on { $square } cannot stand there: move it too, or take a step back.
cannot-commit-danger = Your commander would be in danger: go on, or take a step back.
cover-on = Air cover shown
cover-off = Air cover hidden
typed-label = Move
typed-play = Play
typed-example = Tf6, Fxe7, T>e6
typed-refused = { $move }: { $reason }
typed-unfinished = The turn is not complete
not-your-turn = It is not your turn
offline = No connection: nothing is lost, it will be tried again
say-move = { $piece } to { $square }
say-join = { $piece } joins on { $square }
say-take = { $piece } takes on { $square }
say-strike = { $piece } strikes { $square } and stays
say-kamikaze = { $piece } dies destroying { $square }

# The game page
your-turn = Your turn.
turn-of = { $side } to move.
check = Check!
sending = Sending…
reconnecting = Reconnecting…
server-restarts = The server restarts; the game goes on in a moment
looking-back = Looking back: the game goes on at the end of the list.
clock-paused = The clocks rest until both players are back.
waiting-friend = Waiting for the other player.
waiting-sit = A seat is free.
invite = Send this link: whoever opens it can take the free seat.
sit = Sit down
seat-open = free seat
bot-level = Computer, level { $level }
online = online
away = away
captured = Captured: { $pieces }
clock-of = Clock of { $side }
watchers = { $count ->
    [one] One spectator.
   *[other] { $count } spectators.
}
wins = { $side } wins:
drawn = Draw:
no-result = No result:
outcome-checkmate = checkmate.
outcome-stalemate = stalemate.
outcome-commander = the commander was captured.
outcome-fifty = fifty moves without a capture.
outcome-threefold = the same position three times.
outcome-marine = both ships are sunk.
outcome-air = both aircraft are lost.
outcome-land = all land forces are lost.
outcome-resign = by resignation.
outcome-agreed = by agreement.
outcome-time = on time.
outcome-abandoned = the opponent left.
outcome-aborted = the game was called off.
act-resign = Resign
act-resign-sure = Really resign?
act-draw = Offer a draw
act-takeback = Ask to take back
act-abort = Call off
act-claim = Claim the win
act-rematch = Rematch
act-decline = Decline
act-sit = Sit down
accept = Accept
offer-draw = Your opponent offers a draw.
offer-takeback = Your opponent asks to take back a turn.
offer-rematch = Your opponent wants a rematch.
offer-made = Your offer waits for an answer.
turns-label = Turns
walk-first = To the start
walk-back = One turn back
walk-step-back = One step back
walk-step = One step on
walk-on = One turn on
walk-last = To the end
flip = Turn the board
air-cover = Air cover
picture = Picture

# Settings
set-theme = Colours
theme-auto = as the system
theme-light = light
theme-dark = dark
theme-contrast = high contrast
set-pieces = Pieces
pieces-art = pictures
pieces-letters = letters
pieces-vi = Vietnamese initials
set-animation = Animate moves
set-confirm = Ask before a turn is sent
set-sound = Sounds
set-coords = Coordinates

# Analysis and editor
evaluation = Evaluation for Red
engine = Engine
engine-start = Start the engine
engine-stop = Stop the engine
engine-depth = Depth { $depth }, { $nodes } positions
edit-position = Edit the position
play-here = Play from here
loaded-turns = { $count ->
    [one] One turn loaded
   *[other] { $count } turns loaded
}
editor-erase = Erase
editor-heroic = Heroic
editor-hint = Click a square to add the piece, again to take it off. Pieces of one colour on a square make a stack.
editor-side = To move
editor-start = Start position
editor-clear = Empty board
editor-good = A lawful position.

# Accounts and archive
account = Account
account-why = You can play without an account. With one, your games stay yours on every device.
login = Log in
register = Register
logout = Log out
name = Name
password = Password
recent-games = Recent games
all-games = All games
games-of = Games of { $name }
col-game = Game
col-result = Result
col-clock = Clock
col-turns = Turns
col-more = More
no-games = No games yet.
still-playing = being played
newer = newer
older = older

# Errors
error-400 = That request makes no sense here.
error-403 = You may not do that.
error-404 = There is nothing here.
error-429 = Too many requests; wait a little.
error-500 = Something broke; nothing was lost.
refusal-bad-name = A name has 3 to 20 letters, digits, - or _.
refusal-name-taken = The name is taken.
refusal-bad-password = A password has 8 to 200 characters.
refusal-wrong-password = Name and password do not belong together.
refusal-too-fast = Too many attempts; wait a little.
refusal-illegal = The rules do not allow that turn.
refusal-stale = The game has moved on; look again.
refusal-not-your-turn = It is not your turn.
